vim9script
# Agents in sessions of tmux, which keep them when Vim ends.

import autoload 'ide_companion/status.vim'

# Of a text what the name of a session may hold.
def ToName(text: string): string
  return substitute(text, '[^0-9A-Za-z_-]', '_', 'g')
enddef

# A command in a session that is made, or attached to if it is there. Tokens are no arguments, because everybody can read
# those: the command finds its companion by the rest.
export def Wrap(name: string, command: list<string>): list<string>
  const folder = getcwd()
  const session = join([ToName(name), ToName(fnamemodify(folder, ':t')), sha256(folder)[: 5]], '-')
  var words = ['tmux', 'new-session', '-A', '-s', session, '-c', folder]
  for [variable, value] in items(status.Get().env)
    extend(words, ['-e', variable .. '=' .. matchstr(value, '^\d\+$')])
  endfor
  # tmux would end its command at a semicolon.
  extend(words, command->mapnew((_, word) => substitute(word, ';$', '\\;', '')))
  return words + [';', 'set-option', '-t', '=' .. session .. ':', 'status', 'off']
enddef
