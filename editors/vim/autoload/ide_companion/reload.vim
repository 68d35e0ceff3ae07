vim9script
# After a proposal is accepted its agent writes the file: the buffer follows as soon as that has happened.

const look_every_ms = 100
const give_up_after = 150

def Stamp(path: string): list<any>
  return [getftime(path), getfsize(path), getftype(path)]
enddef

# In Insert mode and the like nothing may change under the cursor.
def IsFree(buffer: number): bool
  return buffer != bufnr() || mode(1) == 'n'
enddef

def Reload(buffer: number)
  if getbufvar(buffer, '&modified')
    return # left to its user
  endif
  # Nobody has to be asked: this change is one that the user has just accepted.
  augroup ide_companion_reload
    execute printf('autocmd FileChangedShell <buffer=%d> ++once v:fcs_choice = "reload"', buffer)
  augroup END
  execute 'checktime' buffer
  execute printf('autocmd! ide_companion_reload FileChangedShell <buffer=%d>', buffer)
enddef

# Loads the file's buffer anew once the file has changed. One with unsaved edits is left to its user.
export def WhenWritten(path: string)
  const buffer = bufnr('^' .. escape(path, '\*?[]{},') .. '$')
  if buffer < 0 || !bufloaded(buffer)
    return
  endif
  const before = Stamp(path)
  var looks = 0
  timer_start(look_every_ms, (timer) => {
    looks += 1
    if !bufloaded(buffer) || looks > give_up_after
      timer_stop(timer)
    elseif Stamp(path) != before && IsFree(buffer)
      timer_stop(timer)
      Reload(buffer)
    endif
  }, {repeat: -1})
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
