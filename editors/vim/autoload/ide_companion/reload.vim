vim9script
# After a proposal is accepted its agent writes the file: the buffer follows as soon as that has happened.

import autoload 'ide_companion/conflict.vim'

const look_every_ms = 100
const give_up_after = 150

# Vim tells the time of a file in seconds only: a small one is compared as a whole.
const largest_read = 1024 * 1024

def Stamp(path: string): list<any>
  const size = getfsize(path)
  const text = size > 0 && size <= largest_read && filereadable(path) ? readblob(path) : 0z
  return [getftime(path), size, getftype(path), text]
enddef

# In Insert mode and the like nothing may change under the cursor.
def IsFree(buffer: number): bool
  return buffer != bufnr() || mode(1) == 'n'
enddef

# `was_there`: whether the file existed when it was accepted.
def Reload(buffer: number, was_there: bool)
  if was_there
    execute 'checktime' buffer
  elseif buffer == bufnr()
    silent edit # of a file that was not there `:checktime` would ask
  else
    # Read when it is next entered.
    execute 'silent bunload' buffer
  endif
enddef

def Look(timer: number, watch: dict<any>)
  watch.looks += 1
  if !bufloaded(watch.buffer)
    Stop(timer, watch)
    return
  endif
  const has_changed = Stamp(watch.path) != watch.before
  if has_changed && getbufvar(watch.buffer, '&modified')
    conflict.Written(watch.buffer)
    Stop(timer, watch)
  elseif has_changed && IsFree(watch.buffer)
    Reload(watch.buffer, watch.before[1] >= 0)
    Stop(timer, watch)
  elseif !has_changed && watch.looks > give_up_after
    conflict.Release(watch.buffer)
    Stop(timer, watch)
  endif
enddef

def Stop(timer: number, watch: dict<any>)
  timer_stop(timer)
  execute printf('autocmd! ide_companion_reload FileChangedShell <buffer=%d>', watch.buffer)
enddef

# Looks at the file before the decision is sent: an agent may write it the moment it hears of that. Returns what has to
# be called when the acceptance counts, which tells whether the buffer has unsaved changes.
export def Prepare(proposal: dict<any>): func(): bool
  const path: string = proposal.filePath
  const buffer = bufnr('^' .. escape(path, '\*?[]{},') .. '$')
  if buffer < 0 || !bufloaded(buffer)
    return () => false
  endif
  final watch = {path: path, buffer: buffer, before: Stamp(path), looks: 0}
  return () => Follow(proposal, watch)
enddef

def Follow(proposal: dict<any>, watch: dict<any>): bool
  if !bufloaded(watch.buffer)
    return false
  endif
  const is_modified = !!getbufvar(watch.buffer, '&modified')
  if is_modified
    conflict.Hold(watch.buffer, proposal)
  endif
  # The user has just accepted this change: an unmodified buffer takes it without a question.
  augroup ide_companion_reload
    execute printf('autocmd FileChangedShell <buffer=%d> v:fcs_choice = &modified ? "" : "reload"', watch.buffer)
  augroup END
  timer_start(look_every_ms, (timer) => {
    Look(timer, watch)
  }, {repeat: -1})
  return is_modified
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
