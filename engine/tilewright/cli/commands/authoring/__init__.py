"""Write rules"""
