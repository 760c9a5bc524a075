<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en_US">
<context>
    <name>accelopt::BeamModel</name>
    <message numerus="yes">
        <source>kept %n iteration(s)</source>
        <translation>
            <numerusform>kept %n iteration</numerusform>
            <numerusform>kept %n iterations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ComparePage</name>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n change</numerusform>
            <numerusform>%n changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message numerus="yes">
        <source>%n piece(s) of work are cut off%1. %2 attempts stay. Drain instead finishes what has begun.</source>
        <translation>
            <numerusform>%n piece of work is cut off%1. %2 attempts stay. Drain instead finishes what has begun.</numerusform>
            <numerusform>%n pieces of work are cut off%1. %2 attempts stay. Drain instead finishes what has begun.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiffPane</name>
    <message numerus="yes">
        <source>%n change(s) in the whole file</source>
        <translation>
            <numerusform>%n change in the whole file</numerusform>
            <numerusform>%n changes in the whole file</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EstimateCard</name>
    <message numerus="yes">
        <source>%n problem(s) with reference and baseline</source>
        <translation>
            <numerusform>%n problem with reference and baseline</numerusform>
            <numerusform>%n problems with reference and baseline</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExperienceDetail</name>
    <message numerus="yes">
        <source>%n more change(s) in the pair</source>
        <translation>
            <numerusform>%n more change in the pair</numerusform>
            <numerusform>%n more changes in the pair</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExperienceRow</name>
    <message numerus="yes">
        <source>in %n prompt(s)</source>
        <translation>
            <numerusform>in %n prompt</numerusform>
            <numerusform>in %n prompts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accelopt::LaneModel</name>
    <message numerus="yes">
        <source>%n in use</source>
        <translation>
            <numerusform>%n in use</numerusform>
            <numerusform>%n in use</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n running</source>
        <translation>
            <numerusform>, %n running</numerusform>
            <numerusform>, %n running</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accelopt::LineageView</name>
    <message numerus="yes">
        <source>Lineage of %n attempt(s) in %1 iterations, %2 failed</source>
        <translation>
            <numerusform>Lineage of %n attempt in %1 iterations, %2 failed</numerusform>
            <numerusform>Lineage of %n attempts in %1 iterations, %2 failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>OverviewPage</name>
    <message numerus="yes">
        <source>%n problem(s) on %1, best so far against baseline</source>
        <translation>
            <numerusform>%n problem on %1, best so far against baseline</numerusform>
            <numerusform>%n problems on %1, best so far against baseline</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s) on %1, no run yet</source>
        <translation>
            <numerusform>%n problem on %1, no run yet</numerusform>
            <numerusform>%n problems on %1, no run yet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other problem(s)</source>
        <translation>
            <numerusform>%n other problem</numerusform>
            <numerusform>%n other problems</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accelopt::PaletteModel</name>
    <message numerus="yes">
        <source>%1 to %2 of peak, %n attempt(s)</source>
        <translation>
            <numerusform>%1 to %2 of peak, %n attempt</numerusform>
            <numerusform>%1 to %2 of peak, %n attempts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>accelopt::ProblemModel</name>
    <message numerus="yes">
        <source>%n iterations</source>
        <translation>
            <numerusform>%n iteration</numerusform>
            <numerusform>%n iterations</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message numerus="yes">
        <source>%n command(s); each key can be changed.</source>
        <translation>
            <numerusform>%n command; each key can be changed.</numerusform>
            <numerusform>%n commands; each key can be changed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message numerus="yes">
        <source>Notices, %n new</source>
        <translation>
            <numerusform>Notices, %n new</numerusform>
            <numerusform>Notices, %n new</numerusform>
        </translation>
    </message>
</context>
</TS>
