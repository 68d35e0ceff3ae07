vim9script
# After a proposal is accepted its agent writes the file. Then the buffer is reloaded.

import autoload 'ide_companion/conflict.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/text.vim' as text_of

const check_every_ms = 100
const give_up_after = 150
# A file that is shorter than the accepted text is written when it has not changed for so many checks.
const settled = 10

# Vim knows the time of a file in seconds only, so a small file is compared as a whole.
const largest_read = 1024 * 1024

def Stamp(path: string): list<any>
  const size = getfsize(path)
  const text = size > 0 && size <= largest_read && filereadable(path) ? readblob(path) : 0z
  return [getftime(path), size, getftype(path), text]
enddef

# The text under the cursor must not change in Insert mode and similar modes.
def IsFree(buffer: number): bool
  return buffer != bufnr() || mode(1) == 'n'
enddef

# `was_there`: whether the file existed when it was accepted.
def Reload(buffer: number, was_there: bool)
  const shown = win_findbuf(buffer)
  if was_there
    execute 'checktime' buffer
  elseif empty(shown)
    # It is read when it is next entered.
    execute 'silent bunload' buffer
  else
    win_execute(shown[0], 'edit') # of a file that was not there `:checktime` would ask
  endif
enddef

def Look(timer: number, watch: dict<any>)
  watch.checks += 1
  if !bufloaded(watch.buffer)
    Stop(timer, watch)
    return
  endif
  const stamp = Stamp(watch.path)
  watch.same = stamp == watch.last ? watch.same + 1 : 0
  watch.last = stamp
  # A file may be half written.
  const has_changed = stamp != watch.before && (watch.same >= settled || stamp[1] >= watch.size)
  if has_changed && getbufvar(watch.buffer, '&modified')
    conflict.Written(watch.buffer)
    Stop(timer, watch)
  elseif has_changed && IsFree(watch.buffer)
    try
      Reload(watch.buffer, watch.before[1] >= 0)
    catch
      # An autocommand of the user that fails must not do so again and again.
      log.Add(printf('reading %s: %s', watch.path, v:exception))
    endtry
    Stop(timer, watch)
  elseif !has_changed && watch.checks > give_up_after
    conflict.Release(watch.buffer)
    Stop(timer, watch)
  endif
enddef

def Stop(timer: number, watch: dict<any>)
  timer_stop(timer)
  execute printf('autocmd! ide_companion_reload FileChangedShell <buffer=%d>', watch.buffer)
enddef

# Reads the state of the file before the decision is sent: an agent may write the file at once. Returns a function to
# call with the size of the accepted text in bytes when the acceptance is confirmed.
export def Prepare(proposal: dict<any>): func(number)
  const path: string = proposal.filePath
  const buffer = text_of.BufferOf(path)
  if buffer < 0 || !bufloaded(buffer)
    return (_) => {
    }
  endif
  const before = Stamp(path)
  final watch = {path: path, buffer: buffer, before: before, last: before, same: 0, checks: 0}
  return (size) => {
    Follow(proposal, watch, size)
  }
enddef

def Follow(proposal: dict<any>, watch: dict<any>, size: number)
  if !bufloaded(watch.buffer)
    return
  elseif getbufvar(watch.buffer, '&modified')
    conflict.Hold(watch.buffer, proposal)
  endif
  watch.size = size
  # The user has just accepted this change, so an unmodified buffer is reloaded without a question.
  augroup ide_companion_reload
    # Another buffer may be the current one then.
    execute printf('autocmd FileChangedShell <buffer=%d> v:fcs_choice = getbufvar(%d, "&modified") ? "" : "reload"',
      watch.buffer, watch.buffer)
  augroup END
  timer_start(check_every_ms, (timer) => {
    Look(timer, watch)
  }, {repeat: -1})
enddef

defcompile
