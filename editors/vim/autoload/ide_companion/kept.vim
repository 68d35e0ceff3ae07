vim9script
# What the user has typed and nobody has taken: in buffers that nothing shows and nothing deletes.

import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/text.vim'

# `label` is of the file; `sentence` tells what has happened.
export def Keep(label: string, content: string, sentence: string)
  const buffer = text.NewBuffer('Your text', label, content)
  setbufvar(buffer, '&buflisted', true)
  say.Warn(printf('%s They are in buffer %d.', sentence, buffer))
enddef
