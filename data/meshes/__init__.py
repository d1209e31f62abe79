# SPDX-License-Identifier: MIT
"""The meshes that make_meshes.py writes."""
