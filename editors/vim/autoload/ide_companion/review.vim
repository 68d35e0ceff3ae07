vim9script
# Proposals that Vim could not show. They wait in the review page, whose link is stored here.

import autoload 'ide_companion/browser.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/text.vim'

# The link of the latest message; empty when there was none.
var link = ''

# Stores the link of a message, which is too long for the command line.
export def Remember(message: string, found: string)
  link = found
  say.Error(message .. '   :IdeCompanion diff')
enddef

# The proposals that wait in the browser; none when there is no link to them.
export def Waiting(IsHere: func(string): bool): list<dict<any>>
  const diffs: list<dict<any>> = link == '' ? [] : status.Get().diffs
  return diffs->copy()->filter((_, one) => !IsHere(one.id))
enddef

export def OpenLink()
  if !browser.Open(link)
    say.Error('No program opens links here')
  endif
enddef

export def CopyLink()
  text.Copy(link)
  say.Info('The link is copied.')
enddef

# Lists them with their link in a new window.
export def Show(diffs: list<dict<any>>)
  const keys = browser.IsThere() ? 'Enter opens the link, y copies it, q closes this window'
    : 'y copies the link, q closes this window'
  const files = diffs->mapnew((_, one) => printf('  %s: %s', one.agent, substitute(one.filePath, '[[:cntrl:]]', '?', 'g')))
  log.ShowText(text.FreeName('Proposals in the browser', ''),
    ['These proposals could not be shown in Vim and wait in the browser:'] + files + ['', link, '', keys])
  execute 'resize' line('$')
  cursor(line('$') - 2, 1)
  nnoremap <buffer> <nowait> <CR> <Cmd>call ide_companion#review#OpenLink()<CR>
  nnoremap <buffer> <nowait> y <Cmd>call ide_companion#review#CopyLink()<CR>
enddef

defcompile
