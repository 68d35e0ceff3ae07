vim9script
# Messages to the user.

import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/quiet.vim'

# After more than one line Vim waits for a key, and so it does after a second message without a redraw.
def Echo(command: string, text: string, group: string)
  redraw
  execute 'echohl' group
  execute command string(text)
  echohl None
enddef

# Shows one line. A longer text has no middle there, and `:messages` has all of it.
def Show(text: string, group: string)
  const room = max([30, v:echospace])
  if strdisplaywidth(text) <= room
    Echo('echomsg', text, group)
    return
  endif
  var rest = text
  while rest != ''
    const line = printf('%.*S', room, rest)
    Echo('echomsg', line, group)
    rest = strpart(rest, len(line))
  endwhile
  const last = strcharpart(text, strchars(text) - room / 3)
  Echo('echo', printf('%.*S…', room - 1 - strdisplaywidth(last), text) .. last, group)
enddef

# While the user types, the mode would hide the message. IsCurrent returns whether it is still relevant then.
def Notify(message: string, group: string, IsCurrent: func(): bool = () => true)
  log.Add(message)
  quiet.When(quiet.IsIdle, () => {
    if IsCurrent()
      Show(substitute(message, '\s*\n\s*', ' ', 'g'), group)
    endif
  })
enddef

export def Info(message: string, IsCurrent: func(): bool = () => true)
  Notify(message, 'None', IsCurrent)
enddef

export def Warn(message: string)
  Notify(message, 'WarningMsg')
enddef

export def Error(message: string)
  Notify(message, 'ErrorMsg')
enddef

defcompile
