"""What programs that play River Dragons need: a policy for absent players, evaluation, actions and
features as numbers.
"""
