vim9script
# What is told to the user.

import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/quiet.vim'

# In one line: a longer message would stop the user for a key.
def OneLine(message: string): string
  const text = substitute(message, '\s*\n\s*', ' ', 'g')
  const room = max([30, v:echospace])
  return strdisplaywidth(text) <= room ? text : printf('%.*S…', room - 1, text)
enddef

def Tell(message: string, group: string)
  log.Add(message)
  quiet.WhenCalm(() => {
    # Two messages without a redraw between them would stop the user as well.
    redraw
    execute 'echohl' group
    echomsg OneLine(message)
    echohl None
  })
enddef

export def Info(message: string)
  Tell(message, 'None')
enddef

export def Warn(message: string)
  Tell(message, 'WarningMsg')
enddef

export def Error(message: string)
  Tell(message, 'ErrorMsg')
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
