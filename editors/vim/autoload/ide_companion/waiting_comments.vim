vim9script
# Comments that no agent has received. The companion stores them until one has, or the user discards them.

import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/stored.vim'
import autoload 'ide_companion/text.vim'

def SayCopied(waiting: dict<any>)
  const where: string = text.Copy(waiting.message)
  say.Info(printf('Your comments on %s are %s: paste them into %s', waiting.label, where, waiting.agent))
enddef

def SaySent(agent: string)
  say.Info(printf('Your comments are in the prompt of %s: press Enter there', agent))
enddef

def SayWaiting(waiting: dict<any>)
  say.Warn(printf('Your comments on %s wait: %s   :IdeCompanion comments', waiting.label, waiting.reason))
enddef

# `companion/commentsDelivered`
export def Delivered(params: dict<any>)
  if params.by == 'prompt'
    SaySent(params.agent)
  endif
enddef

# `companion/commentsRecovered`
export def Recovered(params: dict<any>)
  if params.wasSent
    SayCopied(params)
  else
    SayWaiting(params)
  endif
enddef

# Shows at the start which comments of this project wait.
export def Announce()
  const several = 'Your comments on %d changes wait   :IdeCompanion comments'
  stored.Announce('companion/waitingComments', 'comments', SayWaiting, several)
enddef

def Send(waiting: dict<any>)
  stored.Request('companion/sendComments', {id: waiting.id}, (result) => {
    if has_key(result, 'agent')
      SaySent(result.agent)
    else
      SayCopied(waiting)
    endif
  })
enddef

def Discard(waiting: dict<any>)
  stored.Request('companion/discardComments', {id: waiting.id}, (_) => {
    say.Info(printf('Discarded: your comments on %s.', waiting.label))
  })
enddef

const lines = ["Put them into the agent's prompt", 'Copy them', 'Discard them']
const actions = [Send, SayCopied, Discard]

# Lets the user choose what becomes of them.
def Decide(waiting: dict<any>)
  stored.Menu(lines, printf('Your comments on %s, for %s', waiting.label, waiting.agent), (index) => {
    const Act: func(dict<any>) = actions[index]
    Act(waiting)
  })
enddef

# Lists them.
export def Show()
  stored.Request('companion/waitingComments', {}, (result) => {
    stored.Choose(result.comments, 'Comments that no agent has received', 'No comments wait.', Decide)
  })
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
