"""MJAI, the protocol of programs that play Japanese mahjong: their programs at our tables, our bots at theirs."""
