vim9script
# After a proposal is accepted its agent writes the file, and the server says when. Then the buffer is reloaded.

import autoload 'ide_companion/conflict.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/quiet.vim'
import autoload 'ide_companion/text.vim' as text_of

# Buffers whose files were not there when they were accepted.
var fresh: list<number> = []

# The text under the cursor must not change in Insert mode and similar modes.
def IsFree(buffer: number): bool
  return buffer != bufnr() || mode(1) == 'n'
enddef

def Reload(buffer: number)
  const shown = win_findbuf(buffer)
  if index(fresh, buffer) < 0
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

# Reads the state of the file before the decision is sent: an agent may write the file at once. Returns a function to
# call when the acceptance is confirmed.
export def Prepare(proposal: dict<any>): func()
  const path: string = proposal.filePath
  const was_there = getftype(path) != ''
  return () => {
    const buffer = text_of.BufferOf(path)
    if buffer > 0 && bufloaded(buffer)
      filter(fresh, (_, other) => other != buffer)->extend(was_there ? [] : [buffer])
      Expect(buffer, proposal)
    endif
  }
enddef

def Expect(buffer: number, proposal: dict<any>)
  if getbufvar(buffer, '&modified')
    conflict.Hold(buffer, proposal)
  endif
  AnswerQuestions(buffer)
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
    conflict.Written(buffer, params)
    StopAnswering(buffer)
  else
    AnswerQuestions(buffer)
    quiet.When(() => IsFree(buffer), () => {
      try
        Reload(buffer)
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
