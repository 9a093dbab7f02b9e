"""What commands say of packs."""
