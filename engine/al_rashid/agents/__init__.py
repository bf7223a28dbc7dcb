"""What programs that play Al-Rashid need: a policy for absent players, evaluation, actions and features
as numbers.
"""
