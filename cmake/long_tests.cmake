# Tests that sanitized builds leave out: they are about how well or how fast something is, or repeat what a shorter test
# does on the same code. Sanitizers make them ten times as slow and find nothing more there. Release runs all of them.
set(dhyan_long_tests
    CaptionRuns.LearnFromThePictureBook
    CaptionRuns.MeasureTrueCaptionsOfScenesOnly
    EverySubwordModel.EncodesAMegabyteInLinearTime
    OptionConditions.AreTheSameAfterAConfigIsWrittenAndRead
    OptionConditions.HoldForOptionsThatChangeTheWeights
    Phrasebook.HasThePromisedSizes
    RecurrentTraining.MemorisesTwentyPairs
    RunsOfUnknownCharacters.TakeLinearTime
    SwappedSides.AreDetectedInDifferentScriptsAndInOne
    TrainingRuns.UseThePhrasebookWithoutFiles)

# dhyan_leave_out_long_tests(variable): in a sanitized build, takes these tests out of the GoogleTest filter that the
# variable has.
function(dhyan_leave_out_long_tests variable)
  if(NOT DHYAN_SANITIZE)
    return()
  endif()
  list(TRANSFORM dhyan_long_tests APPEND "*" OUTPUT_VARIABLE names)  # a parameter adds to the name
  list(TRANSFORM names PREPEND "*")
  list(JOIN names ":" names)
  if("${${variable}}" MATCHES "-")
    set(${variable} "${${variable}}:${names}" PARENT_SCOPE)
  else()
    set(${variable} "${${variable}}-${names}" PARENT_SCOPE)
  endif()
endfunction()
