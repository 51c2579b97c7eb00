"""Human ratings of texts, and how metrics agree with them."""
