# SPDX-License-Identifier: GPL-3.0-or-later
# Candidates, Compare, Memory, Reports.
target_sources(accelopt_studio PRIVATE
    attemptdetail.cpp attemptdetail.h
    candidatemodel.cpp candidatemodel.h
    coderow.cpp coderow.h
    comparepage.cpp comparepage.h
    compareplots.cpp compareplots.h
    diffmodel.cpp diffmodel.h
    experiencemodel.cpp experiencemodel.h
    experiencepair.cpp experiencepair.h
    lineagelayout.cpp lineagelayout.h
    lineageview.cpp lineageview.h
    metricmodel.cpp metricmodel.h
    reportpage.cpp reportpage.h
    reportsheet.cpp reportsheet.h
    sourcehighlight.cpp sourcehighlight.h
    sourcemodel.cpp sourcemodel.h)
