vim9script
# The context: open files, cursor and selection, sent to the server. This code runs with every movement of the cursor:
# most movements only wait for a timer that runs already.

import autoload 'ide_companion/selection.vim'

# The shortest time between two messages while the cursor moves. The server waits for as long anyway.
const interval_ms = 50

var Notify: func(string, dict<any>)
var running = false
var pending = false
var files_changed = true
# What is sent of every file, by buffer.
var entries: dict<dict<any>> = {}
# When a buffer was last focused, in milliseconds since 1970.
var focused: dict<number> = {}
var latest = 0
# The buffer that has the focus or had it before a terminal or a diff; and its cursor and selection.
var active = ''
var position: dict<any> = {}
# Where the cursor is of a selection that a command has ended which goes to an agent.
var kept: list<number> = []
var last_sent: dict<any> = {}
var sent_at = reltime()

# Vim's clock counts seconds; a later focus must have a later time.
def Now(): number
  latest = max([localtime() * 1000, latest + 1])
  return latest
enddef

# Whether a buffer is a file of the user: no help, no terminal, no buffer of another plugin.
def IsFile(buffer: number): bool
  if !buflisted(buffer) || getbufvar(buffer, '&buftype') != '' || getbufvar(buffer, '&filetype') == 'netrw'
    return false
  endif
  const name = bufname(buffer)
  return name != '' && name !~ '^\a[a-zA-Z0-9+.-]\+://'
enddef

def CollectFiles()
  entries = {}
  for info in getbufinfo({buflisted: 1})
    # Without 'hidden', a file without a window is not loaded; a file that was never shown has no time.
    if (info.loaded || info.lastused > 0) && IsFile(info.bufnr) && !isdirectory(info.name)
      const key = string(info.bufnr)
      # Vim knows the second in which older buffers were used last.
      focused[key] = get(focused, key, info.lastused * 1000)
      entries[key] = {path: info.name, focusedAt: focused[key]}
    endif
  endfor
  filter(focused, (key, _) => has_key(entries, key))
enddef

# Differs for each place and text of the current buffer.
def Place(): list<number>
  return [bufnr(), b:changedtick, line('.'), col('.')]
enddef

# A selection stays while its user types a command or goes to an agent in a terminal.
def Stays(): bool
  return active == string(bufnr()) && (mode(1) =~ '^c' || kept == Place())
enddef

# A command that goes to an agent has ended the selection.
export def KeepSelection()
  kept = Place()
enddef

# The parameters of `companion/context`.
def Context(): dict<any>
  const current = string(bufnr())
  if has_key(entries, current) && !Stays()
    kept = []
    active = current
    position = extendnew(selection.Selected(mode(1)), {cursor: selection.Cursor()})
  endif
  const files = items(entries)->mapnew((_, item) => item[0] == active ? extendnew(item[1], position) : item[1])
  return extend({files: files}, has_key(entries, active) ? {activePath: entries[active].path} : {})
enddef

def Update(_: number)
  pending = false
  sent_at = reltime()
  if !running
    return
  endif
  if files_changed
    files_changed = false
    CollectFiles()
  endif
  const context = Context()
  if context !=# last_sent
    last_sent = context
    Notify('companion/context', context)
  endif
enddef

def Soon()
  if !pending
    pending = true
    timer_start(interval_ms, Update)
  endif
enddef

# Runs with every movement and must be fast. A movement after a pause is sent at once.
def OnMove(is_mode = false)
  if pending
    return
  # The end of a selection may be the beginning of the way to a terminal.
  elseif !(is_mode && has_key(position, 'selectedText')) && !files_changed && reltimefloat(reltime(sent_at)) * 1000 > interval_ms
    Update(0)
  else
    Soon()
  endif
enddef

def OnFiles()
  files_changed = true
  Soon()
enddef

def OnSaved(buffer: number, path: string)
  if IsFile(buffer)
    Notify('companion/saved', {path: path})
  endif
enddef

def OnFocus()
  const buffer = bufnr()
  if IsFile(buffer)
    focused[string(buffer)] = Now()
  endif
  OnFiles()
enddef

# Starts to send the context; OnChange gets the method and the parameters of a notification.
export def Start(OnChange: func(string, dict<any>))
  Notify = OnChange
  running = true
  last_sent = {}
  augroup ide_companion_context
    autocmd!
    autocmd CursorMoved,CursorMovedI,TextChangedI * OnMove()
    autocmd ModeChanged * OnMove(true)
    autocmd BufEnter,WinEnter,FocusGained * OnFocus()
    autocmd BufAdd,BufReadPost,BufWritePost,BufFilePost,BufDelete,BufUnload,TerminalOpen * OnFiles()
    autocmd BufWritePost * OnSaved(str2nr(expand('<abuf>')), expand('<afile>:p'))
    autocmd OptionSet buflisted,buftype OnFiles()
  augroup END
  OnFocus()
enddef

export def Stop()
  running = false
  augroup ide_companion_context
    autocmd!
  augroup END
enddef
