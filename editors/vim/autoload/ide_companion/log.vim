vim9script
# The log that `:IdeCompanion log` shows; it holds no text of a file and no token.

import autoload 'ide_companion/text.vim' as text_of

const limit = 500
var lines: list<string> = []

export def Add(text: string)
  const time = strftime('%H:%M:%S ')
  for line in split(text, "\n")
    add(lines, time .. line)
  endfor
  if len(lines) > limit
    remove(lines, 0, len(lines) - limit - 1)
  endif
enddef

# Shows text in a new window, whose buffer is deleted with it.
export def ShowText(name: string, text: list<string>)
  botright new
  setlocal buftype=nofile bufhidden=wipe noswapfile nobuflisted modifiable
  execute 'silent keepalt file' fnameescape(name)
  setline(1, text)
  setlocal nomodifiable nomodified
  nnoremap <buffer> <nowait> q <Cmd>close<CR>
enddef

export def Lines(): list<string>
  return empty(lines) ? ['Nothing has happened yet.'] : lines
enddef

# Shows the log, the latest line at the end.
export def Show()
  ShowText(text_of.FreeName('ide-companion log', ''), Lines())
  normal! G
enddef
