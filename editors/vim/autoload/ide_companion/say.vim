vim9script
# Messages to the user.

import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/quiet.vim'

# Shows one line: after a longer message Vim waits for a key.
def OneLine(message: string): string
  const text = substitute(message, '\s*\n\s*', ' ', 'g')
  const room = max([30, v:echospace])
  return strdisplaywidth(text) <= room ? text : printf('%.*S…', room - 1, text)
enddef

# While the user types, the mode would hide the message. IsCurrent returns whether it is still relevant then.
def Notify(message: string, group: string, IsCurrent: func(): bool)
  log.Add(message)
  quiet.When(quiet.IsIdle, () => {
    if !IsCurrent()
      return
    endif
    # After two messages without a redraw between them Vim waits for a key as well.
    redraw
    execute 'echohl' group
    echomsg OneLine(message)
    echohl None
  })
enddef

export def Info(message: string)
  Notify(message, 'None', () => true)
enddef

# The message may have to wait, and is dropped when IsCurrent returns false.
export def InfoWhile(message: string, IsCurrent: func(): bool)
  Notify(message, 'None', IsCurrent)
enddef

export def Warn(message: string)
  Notify(message, 'WarningMsg', () => true)
enddef

export def Error(message: string)
  Notify(message, 'ErrorMsg', () => true)
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
