vim9script
# What the user is looking at, told to the server. Runs with every movement of the cursor: most do nothing but wait for
# a timer that runs already, and what it sends is put together from parts that have not changed.

import autoload 'ide_companion/selection.vim'

# Moving on and on tells no more often than this; the server waits for as long anyway.
const interval_ms = 50

var Send: func(string)
var running = false
var pending = false
var files_changed = true
# JSON of every file but the active one, without its end, by buffer; and the path of each, as JSON.
var entries: dict<string> = {}
var paths: dict<string> = {}
# When a buffer was last focused, in milliseconds since 1970.
var focused: dict<number> = {}
var latest = 0
# The buffer that has the focus or had it before a terminal or a diff, and where its cursor is.
var active = ''
var place = ''
var told = ''
var told_at = reltime()

# Vim's clock counts seconds; what is focused later is later.
def Now(): number
  latest = max([localtime() * 1000, latest + 1])
  return latest
enddef

# Whether a buffer is a file of the user's: no help, no terminal, nothing that another plugin shows.
def IsFile(buffer: number): bool
  if !buflisted(buffer) || getbufvar(buffer, '&buftype') != '' || getbufvar(buffer, '&filetype') == 'netrw'
    return false
  endif
  const name = bufname(buffer)
  return name != '' && name !~ '^\a[a-zA-Z0-9+.-]\+://'
enddef

def CollectFiles()
  entries = {}
  paths = {}
  for info in getbufinfo({buflisted: 1})
    # Without 'hidden' a file that was left is not loaded any more; one that was never looked at has no time.
    if (info.loaded || info.lastused > 0) && IsFile(info.bufnr) && !isdirectory(info.name)
      const key = string(info.bufnr)
      # Of what was looked at before we were there, Vim itself knows the second.
      focused[key] = get(focused, key, info.lastused * 1000)
      paths[key] = json_encode(info.name)
      entries[key] = printf('{"path":%s,"focusedAt":%d', paths[key], focused[key])
    endif
  endfor
  filter(focused, (key, _) => has_key(entries, key))
enddef

# The cursor, and what is selected, in the current buffer.
def Place(): string
  const cursor = selection.Cursor()
  const text = selection.Text(mode(1))
  return printf(',"cursor":{"line":%d,"character":%d}', cursor.line, cursor.character)
    .. (text == '' ? '' : ',"selectedText":' .. json_encode(text))
enddef

def ToJson(): string
  const current = string(bufnr())
  if has_key(entries, current)
    active = current
    place = Place()
  elseif !has_key(entries, active)
    active = ''
  endif
  var files: list<string> = []
  for [key, entry] in items(entries)
    add(files, entry .. (key == active ? place : '') .. '}')
  endfor
  const focus = active == '' ? '' : ',"activePath":' .. paths[active]
  return '{"files":[' .. join(files, ',') .. ']' .. focus .. '}'
enddef

def Tell(_: number)
  pending = false
  told_at = reltime()
  if !running
    return
  endif
  if files_changed
    files_changed = false
    CollectFiles()
  endif
  const json = ToJson()
  if json !=# told
    told = json
    Send(json)
  endif
enddef

def Soon()
  if !pending
    pending = true
    timer_start(interval_ms, Tell)
  endif
enddef

# With every movement: nothing may be slow here. One after a pause is told at once.
def OnMove()
  if pending
    return
  elseif !files_changed && reltimefloat(reltime(told_at)) * 1000 > interval_ms
    Tell(0)
  else
    Soon()
  endif
enddef

def OnFiles()
  files_changed = true
  Soon()
enddef

def OnFocus()
  const buffer = bufnr()
  if IsFile(buffer)
    focused[string(buffer)] = Now()
  endif
  OnFiles()
enddef

# Tells it from now on; SendContext gets the parameters of `companion/context` as JSON.
export def Start(SendContext: func(string))
  Send = SendContext
  running = true
  told = ''
  augroup ide_companion_context
    autocmd!
    autocmd CursorMoved,CursorMovedI,ModeChanged,TextChangedI * OnMove()
    autocmd BufEnter,WinEnter,FocusGained * OnFocus()
    autocmd BufAdd,BufReadPost,BufWritePost,BufFilePost,BufDelete,BufUnload,TerminalOpen * OnFiles()
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
