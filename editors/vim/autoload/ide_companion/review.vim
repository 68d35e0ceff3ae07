vim9script
# Proposals that Vim could not show. They wait in the review page, whose link is stored here.

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

# Says that no proposal waits in Vim. The link of one that waits in the browser is copied.
export def SayNoneWaits()
  if link == '' || empty(status.Get().diffs)
    say.Info('No proposal waits for you.')
  else
    say.Info(printf('The proposal waits in the browser; its link is %s: %s', text.Copy(link), link))
  endif
enddef
