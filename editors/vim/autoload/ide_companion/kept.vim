vim9script
# What the user has typed and nobody has taken: in buffers that nothing shows and nothing deletes.

import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/text.vim'

var last = 0

# `label` is of the file; `sentence` tells what has happened.
export def Keep(label: string, content: string, sentence: string)
  last += 1
  const buffer = text.NewBuffer(printf('%d/kept/%s', last, label), content)
  setbufvar(buffer, '&buflisted', true)
  say.Warn(printf('%s They are in buffer %d.', sentence, buffer))
enddef
