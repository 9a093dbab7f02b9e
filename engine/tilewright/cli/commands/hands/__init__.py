"""Score hands"""
