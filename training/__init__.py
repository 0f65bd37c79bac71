"""How the network that reads scoresheets is made and measured. Nothing here runs on a site.

All digits are real ones with a known writer, all paper and light are simulated: `split` keeps writers apart, `ink` makes
single boxes to train with, `pages` whole photographed pages to measure with, `network` trains, `measure` measures.
"""
