#compdef studio
# zsh completion for studio
_studio() {
  local line value about lead
  local -a values shown
  for line in "${(@f)$(command studio __complete zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    value=${line%%$'\t'*}
    about=${line#*$'\t'}
    if [[ $value == :files ]]; then
      [[ -z $about ]] || compset -P '*='
      _files
      return
    fi
    values+=("$value")
    if [[ -n $about ]]; then shown+=("$value  -- $about"); else shown+=("$value"); fi
  done
  # After Name= a value follows.
  (( $#values )) || return
  if [[ $values[1] == *= ]]; then compadd -S '' -l -d shown -a -- values; else compadd -l -d shown -a -- values; fi
}
if [[ $funcstack[1] == _studio ]]; then
  _studio "$@"
else
  compdef _studio studio
fi
