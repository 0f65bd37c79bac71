"""The reader of photographed scoresheets.

The pages are simulated: digits.png holds 160 handwritten digits of two people that the network was not trained with (MNIST,
commonly given as CC BY-SA 3.0, with QMNIST's writers); paper and camera are `training.pages`. How well the reader does on
many writers is measured by `training.measure`, not here.
"""
