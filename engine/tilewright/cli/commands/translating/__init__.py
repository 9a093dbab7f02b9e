"""Translate rules"""
