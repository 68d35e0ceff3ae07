if !has('vim9script') || !has('patch-9.0.1378')
  " An older Vim, or Neovim: silent until it is asked.
  command! -nargs=* IdeCompanion echohl ErrorMsg | echomsg 'ide-companion needs Vim 9.0.1378 or newer' | echohl None
  finish
endif
vim9script noclear

# Everything that is loaded at the start: a command, and an autocommand for the first file.

if exists('g:loaded_ide_companion')
  finish
endif
g:loaded_ide_companion = true

import autoload 'ide_companion/command.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/windows.vim'

command! -nargs=* -range -bar -complete=customlist,command.Complete IdeCompanion
      \ command.Run(<range>, <line1>, <line2>, [<f-args>])

# A session that was saved while a proposal waited has its tab.
def OnSession(_: number)
  windows.CloseRestored()
enddef

augroup ide_companion_session
  autocmd!
  autocmd SessionLoadPost * timer_start(0, OnSession)
augroup END

# A Vim without a screen does not start the companion.
def Start(_: number)
  if mode(1) !~ '^c[ve]'
    server.AutoStart()
  endif
enddef

def StartWhenEntered()
  if v:vim_did_enter
    timer_start(0, Start)
  else
    autocmd VimEnter * ++once timer_start(0, Start)
  endif
enddef

# A plugin manager may load this after the first file.
if v:vim_did_enter && bufname() != ''
  StartWhenEntered()
else
  augroup ide_companion_start
    autocmd!
    autocmd BufReadPost,BufNewFile,TerminalOpen * ++once {
      autocmd! ide_companion_start
      StartWhenEntered()
    }
  augroup END
endif
