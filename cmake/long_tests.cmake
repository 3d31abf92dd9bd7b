# Tests that sanitized builds leave out: they are about how well or how fast something is, or repeat what a shorter test
# does on the same code. Sanitizers make them ten times as slow and find nothing more there. Release runs all of them.
set(dhyan_long_tests
    CaptionRuns.LearnFromThePictureBook
    CaptionRuns.MeasureTrueCaptionsOfScenesAlone
    EverySubwordModel.EncodesAMegabyteInLinearTime
    OptionConditions.AreTheSameForAConfigThatWasWrittenAndReadAgain
    OptionConditions.HoldForWhateverChangesTheWeights
    Phrasebook.HasThePromisedSizes
    RecurrentTraining.LearnsTwentyPairsByHeart
    RunsOfUnknownCharacters.TakeLinearTime
    SwappedSides.AreDetectedInDifferentScriptsAndInOne
    TrainingRuns.UseThePhrasebookWithoutFiles)

# dhyan_leave_out_long_tests(filter): in a sanitized build, takes these tests out of a GoogleTest filter.
function(dhyan_leave_out_long_tests filter)
  if(NOT DHYAN_SANITIZE)
    return()
  endif()
  list(TRANSFORM dhyan_long_tests APPEND "*" OUTPUT_VARIABLE names)  # a parameter adds to the name
  list(TRANSFORM names PREPEND "*")
  list(JOIN names ":" names)
  if(${filter} MATCHES "-")
    set(${filter} "${${filter}}:${names}" PARENT_SCOPE)
  else()
    set(${filter} "${${filter}}-${names}" PARENT_SCOPE)
  endif()
endfunction()
