# bash completion for studio
# Bash splits words at = and : and replaces the last piece only. No associative arrays: macOS has bash 3.2.
_studio() {
  local rest=${COMP_LINE:0:COMP_POINT} i n=-1 line value about lead piece
  local -a words=() values=() shown=()
  for ((i = 0; i < COMP_CWORD; i++)); do
    if [[ $i -eq 0 || $rest == [[:space:]]* ]]; then
      rest=${rest#"${rest%%[![:space:]]*}"}
      n=$((n + 1))
      words[n]=
    fi
    words[n]+=${COMP_WORDS[i]}
    rest=${rest#"${COMP_WORDS[i]}"}
  done
  if [[ -z $rest || $rest == [[:space:]]* ]]; then
    rest=${rest#"${rest%%[![:space:]]*}"}
    if [[ -n $rest || ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]]; then
      n=$((n + 1))
      words[n]=
    fi
  fi
  words[n]+=$rest
  piece=$rest
  case $piece in [=:]*) piece=${piece#?} ;; esac
  lead=${words[n]%"$piece"}
  COMPREPLY=()
  while IFS= read -r line; do
    value=${line%%$'\t'*}
    about=${line#*$'\t'}
    if [[ $value == :files ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -f -- "$piece")
      return
    fi
    [[ $value == "$lead"* ]] || continue
    printf -v value %q "${value#"$lead"}"
    value=${value//\\,/,} # a comma needs no quotes, whatever %q thinks
    # A value follows.
    [[ $value == *= ]] && compopt -o nospace 2>/dev/null
    values+=("$value")
    shown+=("$value${about:+  ($about)}")
  done < <(command studio __complete bash -- "${words[@]:1}" 2>/dev/null)
  case $COMP_TYPE in
    63 | 33 | 64) [[ ${#values[@]} -gt 1 ]] && values=("${shown[@]}") ;;
  esac
  COMPREPLY=("${values[@]}")
}
complete -F _studio studio
