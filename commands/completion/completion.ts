import { Argument } from 'commander'
import type { StandaloneCommand } from '../standalone-commands'

export const completion: StandaloneCommand = {
  define(command) {
    command.addArgument(new Argument('<shell>', 'shell to print the script for').choices(SHELLS))
    return { about: INSTALL, examples: ['studio completion bash', 'studio completion fish'] }
  },

  async run(command, { terminal, flags }) {
    const script = scripts[command.processedArgs[0] as Shell]
    terminal.out(flags.json ? `${JSON.stringify(script)}\n` : script)
    return 0
  },
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/**
 * Each asks `studio __complete` with the words up to the cursor, and takes what it answers as text: it is quoted for the command
 * line, and never run.
 */
export const scripts: Record<Shell, string> = {
  // Bash splits words at = and :, and replaces the last piece alone; it shows what stands for a word only where it lists them.
  // Without associative arrays and the like: macOS has version 3.2.
  bash: String.raw`# bash completion for studio
_studio() {
  local rest=\${COMP_LINE:0:COMP_POINT} i n=-1 line value about lead piece
  local -a words=() values=() shown=()
  for ((i = 0; i < COMP_CWORD; i++)); do
    if [[ $i -eq 0 || $rest == [[:space:]]* ]]; then
      rest=\${rest#"\${rest%%[![:space:]]*}"}
      n=$((n + 1))
      words[n]=
    fi
    words[n]+=\${COMP_WORDS[i]}
    rest=\${rest#"\${COMP_WORDS[i]}"}
  done
  if [[ -z $rest || $rest == [[:space:]]* ]]; then
    rest=\${rest#"\${rest%%[![:space:]]*}"}
    if [[ -n $rest || \${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]]; then
      n=$((n + 1))
      words[n]=
    fi
  fi
  words[n]+=$rest
  piece=$rest
  case $piece in [=:]*) piece=\${piece#?} ;; esac
  lead=\${words[n]%"$piece"}
  COMPREPLY=()
  while IFS= read -r line; do
    value=\${line%%$'\t'*}
    about=\${line#*$'\t'}
    if [[ $value == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$piece")
      return
    fi
    [[ $value == "$lead"* ]] || continue
    printf -v value %q "\${value#"$lead"}"
    value=\${value//\\,/,} # a comma needs no quotes, whatever %q thinks
    values+=("$value")
    shown+=("$value\${about:+  ($about)}")
  done < <(command studio __complete bash -- "\${words[@]:1}" 2>/dev/null)
  case $COMP_TYPE in
    63 | 33 | 64) [[ \${#values[@]} -gt 1 ]] && values=("\${shown[@]}") ;;
  esac
  COMPREPLY=("\${values[@]}")
}
complete -F _studio studio
`.replaceAll('\\$', '$'),

  zsh: String.raw`#compdef studio
# zsh completion for studio
_studio() {
  local line value about lead
  local -a values shown
  for line in "\${(@f)$(command studio __complete zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    value=\${line%%$'\t'*}
    about=\${line#*$'\t'}
    if [[ $value == :files ]]; then
      [[ -z $about ]] || compset -P '*='
      _files
      return
    fi
    values+=("$value")
    if [[ -n $about ]]; then shown+=("$value  -- $about"); else shown+=("$value"); fi
  done
  (( $#values )) && compadd -l -d shown -a -- values
}
if [[ $funcstack[1] == _studio ]]; then
  _studio "$@"
else
  compdef _studio studio
fi
`.replaceAll('\\$', '$'),

  fish: String.raw`# fish completion for studio
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
`,
}

/** Where a shell finds it. */
export const INSTALL = `Save the script where your shell looks for it, and start a new shell:

  bash
    studio completion bash > ~/.local/share/bash-completion/completions/studio
    or, without the bash-completion package, add to ~/.bashrc:
    source <(studio completion bash)
  zsh
    studio completion zsh > "\${fpath[1]}/_studio"
    or add to ~/.zshrc, after compinit:
    source <(studio completion zsh)
  fish
    studio completion fish > ~/.config/fish/completions/studio.fish

The script completes commands, flags and their values, and the names of stored
work items, drafts, folders, filters, facilities, appointments, tenants and
prompts. Studio itself does not write to the files of your shell.`
