vim9script
# User autocommands; g:ide_companion_event holds the data of the event.

import autoload 'ide_companion/log.vim'

def Nothing()
enddef

# Vim reports an error for an event without an autocommand.
augroup ide_companion_event
  autocmd!
  autocmd User IdeCompanion* Nothing()
augroup END

export def Emit(name: string, data: dict<any>)
  const pattern = 'IdeCompanion' .. name
  g:ide_companion_event = data
  try
    execute 'doautocmd <nomodeline> User' pattern
  catch
    # An error in the user's autocommand must not stop us: the agent waits for an answer.
    log.Add(printf('User %s: %s (%s)', pattern, v:exception, v:throwpoint))
  endtry
enddef
