vim9script
# User autocommands, for whom it may concern; g:ide_companion_event holds what it is about.

import autoload 'ide_companion/log.vim'

def Nothing()
enddef

# Vim complains of an event that nobody waits for.
augroup ide_companion_event
  autocmd!
  autocmd User IdeCompanion* Nothing()
augroup END

export def Tell(name: string, data: dict<any>)
  const pattern = 'IdeCompanion' .. name
  g:ide_companion_event = data
  try
    execute 'doautocmd <nomodeline> User' pattern
  catch
    # A fault in it is its author's; the agent waits for us meanwhile.
    log.Add(printf('User %s: %s (%s)', pattern, v:exception, v:throwpoint))
  endtry
enddef
