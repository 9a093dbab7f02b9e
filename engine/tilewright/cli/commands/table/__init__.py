"""Play"""
