"""Share rules"""
