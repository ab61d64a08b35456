import type { CommandContext } from '../command';
import { UsageError } from '../exit-codes';
import { shells } from '../shells';
import { didYouMean } from '../suggestion';

// Each script calls the program, so that completion matches the installed version.
const scripts: Record<(typeof shells)[number], string> = {
  bash: `_tollbridge() {
  local IFS=$'\\n'
  COMPREPLY=($(tollbridge __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _tollbridge tollbridge`,
  zsh: `#compdef tollbridge
_tollbridge() {
  local -a found
  found=("\${(@f)$(tollbridge __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "\${found[1]}" ]] && compadd -- "\${found[@]}" || _files
}
compdef _tollbridge tollbridge`,
  fish: `function __tollbridge_complete
  set -l words (commandline -opc) (commandline -ct)
  tollbridge __complete $words[2..-1] 2>/dev/null
end
complete -c tollbridge -a '(__tollbridge_complete)'`,
};

export async function run({ positionals, terminal }: CommandContext): Promise<void> {
  const [shell = ''] = positionals;
  const known = shells.find((each) => each === shell);
  if (!known)
    throw new UsageError(
      `There is no completion for ${shell}.`,
      didYouMean(shell, shells, `It is one of ${shells.join(', ')}.`),
    );
  terminal.out(scripts[known]);
}
