/** The scripts that make a shell ask `mbcas __complete` what may come next. */
export type Shell = 'bash' | 'zsh' | 'fish'

const bash = `# Completion of mbcas for bash: source <(mbcas completion bash)
_mbcas() {
  local line directive=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) directive=$line ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("$1" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # Where file names are wanted bash offers them itself; elsewhere they would be wrong.
  if [[ $directive != :0 ]]; then compopt +o default 2>/dev/null; fi
}
complete -o default -F _mbcas mbcas
`

const zsh = `#compdef mbcas
# Completion of mbcas for zsh: source <(mbcas completion zsh), after compinit
_mbcas() {
  local line directive
  local -a candidates
  for line in "\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :* ]]; then
      directive=$line
    elif [[ $line == *$'\\t'* ]]; then
      candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    elif [[ -n $line ]]; then
      candidates+=("\${line//:/\\\\:}")
    fi
  done
  if [[ $directive == :0 ]]; then
    _files
  else
    _describe -t words mbcas candidates
  fi
}
if [[ $funcstack[1] == _mbcas ]]; then
  _mbcas "$@"
else
  compdef _mbcas mbcas
fi
`

const fish = `# Completion of mbcas for fish: mbcas completion fish | source
function __mbcas_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l lines ($words[1] __complete -- $words[2..-1] "$typed" 2>/dev/null)
    if test "$lines[-1]" = :0
        __fish_complete_path "$typed"
    else if test (count $lines) -gt 1
        printf '%s\\n' $lines[1..-2]
    end
end
complete -c mbcas -f -a '(__mbcas_complete)'
`

export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish }
