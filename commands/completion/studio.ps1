# PowerShell completion for studio, for Windows PowerShell 5.1 and PowerShell 7
Register-ArgumentCompleter -Native -CommandName studio -ScriptBlock {
    param($typed, $ast, $cursor)
    # Words go and candidates come as ASCII: versions differ in how they quote words for a program, and in how they decode its output.
    $words = @($ast.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor } | Select-Object -Skip 1 | ForEach-Object {
        $text = $_.Extent.Text
        if ($_.Extent.EndOffset -gt $cursor) { $text = $text.Substring(0, $cursor - $_.Extent.StartOffset) }
        elseif ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $text = $_.Value }
        ($text -replace '^[''"]', '') -replace '[\r\n]', ' '
    })
    if ($cursor -gt $ast.Extent.EndOffset -or $words.Count -eq 0) { $words += '' }
    $bytes = [System.Text.Encoding]::UTF8.GetBytes($words -join "`n")
    $answer = @(studio __complete powershell ([Convert]::ToBase64String($bytes)) 2>$null) -join ''
    # An empty text keeps PowerShell from offering files.
    if ($answer -eq '') { return '' }
    $found = $answer | ConvertFrom-Json
    # PowerShell replaces what it calls the typed word, which is only the end of some words, such as the last name of a list.
    $word = $words[-1]
    $end = $typed -replace '^[''"]', ''
    $before = if ($word.EndsWith($end, 'Ordinal')) { $word.Substring(0, $word.Length - $end.Length) } else { '' }
    if ($null -ne $found.files) {
        if ($found.files -eq '') { return }
        $path = $word.Substring($found.files.Length)
        $lead = if ($before -eq '') { $found.files } else { '' }
        return [System.Management.Automation.CompletionCompleters]::CompleteFilename($path) | ForEach-Object {
            $about = if ($_.ToolTip) { $_.ToolTip } else { $_.ListItemText }
            [System.Management.Automation.CompletionResult]::new($lead + $_.CompletionText, $_.ListItemText, $_.ResultType, $about)
        }
    }
    if ($found.words.Count -eq 0) { return '' }
    foreach ($each in $found.words) {
        if (-not $each.value.StartsWith($before, 'Ordinal')) { continue }
        $text = $each.value.Substring($before.Length)
        $shown = if ($text -match '^[\w./:\\=+-][\w./:\\=+@-]*$') { $text }
            else { "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($text) + "'" }
        $about = if ($each.about) { $each.about } else { $each.value }
        [System.Management.Automation.CompletionResult]::new($shown, $each.value, 'ParameterValue', $about)
    }
}
