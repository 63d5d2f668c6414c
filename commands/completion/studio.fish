# fish completion for studio
function __studio_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -e words[1]
    for line in (command studio __complete fish -- $words "$typed" 2>/dev/null)
        if string match -q -- ':files*' $line
            set -l lead (string replace -r '^:files\t' '' -- $line)
            set -l path (string sub -s (math (string length -- "$lead") + 1) -- "$typed")
            for found in (__fish_complete_path "$path")
                printf '%s%s\n' "$lead" "$found"
            end
        else
            printf '%s\n' $line
        end
    end
end
complete -c studio -f -k -a '(__studio_complete)'
