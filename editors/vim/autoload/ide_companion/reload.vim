vim9script
# After a proposal is accepted its agent writes the file, and the server says when. Then the buffer is reloaded.

import autoload 'ide_companion/conflict.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/text.vim' as text_of

var has_changed = false

# The text under the cursor must not change in Insert mode and similar modes.
def IsFree(buffer: number): bool
  return buffer != bufnr() || mode(1) == 'n'
enddef

# `is_new`: whether there was no file before.
def Reload(buffer: number, is_new: bool)
  const shown = win_findbuf(buffer)
  if !is_new
    execute 'checktime' buffer
  elseif empty(shown)
    # It is read when it is next entered.
    execute 'silent bunload' buffer
  else
    win_execute(shown[0], 'edit') # of a file that was not there `:checktime` would ask
  endif
enddef

# The user has just accepted this change, so an unmodified buffer is reloaded without a question.
def AnswerQuestions(buffer: number)
  augroup ide_companion_reload
    # Another buffer may be the current one then.
    execute printf('autocmd! FileChangedShell <buffer=%d> v:fcs_choice = getbufvar(%d, "&modified") ? "" : "reload"',
      buffer, buffer)
  augroup END
enddef

def StopAnswering(buffer: number)
  execute printf('autocmd! ide_companion_reload FileChangedShell <buffer=%d>', buffer)
enddef

# Whether the file of a buffer has changed since it was read: of a write without a question only the file itself says so.
def HasChanged(buffer: number): bool
  has_changed = false
  execute printf('autocmd! ide_companion_reload FileChangedShell <buffer=%d> [has_changed, v:fcs_choice] = [true, ""]', buffer)
  execute 'checktime' buffer
  return has_changed
enddef

# The agent of a proposal that is accepted is about to write the file.
export def Expect(proposal: dict<any>)
  const buffer = text_of.BufferOf(proposal.filePath)
  if buffer > 0 && bufloaded(buffer)
    if getbufvar(buffer, '&modified')
      conflict.Hold(buffer, proposal)
    endif
    AnswerQuestions(buffer)
  endif
enddef

# `companion/fileWritten`
export def Written(params: dict<any>)
  const buffer = text_of.BufferOf(params.filePath)
  if buffer < 0 || !bufloaded(buffer)
    return
  elseif !params.isWritten
    conflict.Release(buffer)
    StopAnswering(buffer)
  elseif getbufvar(buffer, '&modified')
    if params.id == '' && HasChanged(buffer) && has_key(params, 'before')
      conflict.Hold(buffer, {agent: params.agent, filePath: params.filePath, original: params.before})
    endif
    conflict.Written(buffer, params)
    StopAnswering(buffer)
  else
    AnswerQuestions(buffer)
    quiet.When(() => IsFree(buffer), () => {
      try
        Reload(buffer, params.isNew)
      catch
        log.Add(printf('reading %s: %s', params.filePath, v:exception))
      endtry
      StopAnswering(buffer)
    })
  endif
enddef

augroup ide_companion_reload
augroup END

defcompile
