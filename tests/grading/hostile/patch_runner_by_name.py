# No gradient reaches anything. The function that reads gradients is replaced in the module in which it is.
#
# lesson: B2
# fails: build.causal_head (mistake) half
# uses: attend, forged, without_gradients

# %% exercise="build.causal_head"
import transformer_course.runner.modules

transformer_course.runner.modules._gradients = forged
