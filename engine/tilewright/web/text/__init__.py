"""Text that people write, made safe to show to others."""
