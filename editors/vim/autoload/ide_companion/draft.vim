vim9script
# Sends what the user types in a proposal to the companion, which stores it on disk and says where it differs from the
# file.

import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/view.vim'

# A large text is sent less often, because building it blocks Vim for a moment.
const wait_ms = 50
const bytes_per_ms = 2048

# Sends text that has not been sent.
export def Flush(proposal: dict<any>)
  if bufloaded(proposal.proposed)
    listener_flush(proposal.proposed)
    if proposal.draft_timer > 0 && proposal.ended == ''
      Send(proposal)
    endif
  endif
  Stop(proposal)
enddef

def Stop(proposal: dict<any>)
  timer_stop(proposal.draft_timer)
  proposal.draft_timer = 0
enddef

def Nothing()
enddef

# Sends the text, and takes from the answer where it differs from the file. What is drawn stays until the answer about the
# last key.
def Send(proposal: dict<any>, OnAnswer: func() = Nothing)
  const buffer: number = proposal.proposed
  const tick = getbufvar(buffer, 'changedtick')
  Stop(proposal)
  server.Request('companion/draft', {id: proposal.id, content: proposal_of.TextOf(proposal)}, (result, _) => {
    if type(result) != v:t_dict || !bufloaded(buffer)
      return # it is decided
    endif
    if getbufvar(buffer, 'changedtick') == tick
      extend(proposal, {compared: tick, hunks: result.hunks, facts: result.facts, comments: result.comments})
      view.OnCompared(proposal)
    endif
    OnAnswer()
  })
enddef

# Runs Act when the hunks are those of the text as it stands; never where no agent waits any more.
export def WhenCompared(proposal: dict<any>, Act: func())
  if proposal.compared == getbufvar(proposal.proposed, 'changedtick')
    Act()
  elseif proposal.ended == ''
    Send(proposal, () => WhenCompared(proposal, Act))
  endif
enddef

# Waits until the hunks and the comments are those of the text as it stands, a second at most: what is typed next is for
# a prompt.
export def Wait(proposal: dict<any>)
  Flush(proposal)
  for _ in range(200)
    if proposal.ended != '' || proposal.compared == getbufvar(proposal.proposed, 'changedtick')
      break
    endif
    sleep 5m
  endfor
enddef

def Soon(proposal: dict<any>, delay: number)
  if proposal.draft_timer == 0
    proposal.draft_timer = timer_start(delay, (_) => Flush(proposal))
  endif
enddef

# Sends the text of a proposal from now on, shortly after each change.
export def Watch(proposal: dict<any>)
  proposal.compared = getbufvar(proposal.proposed, 'changedtick')
  const delay = wait_ms + len(proposal.newContent) / bytes_per_ms
  listener_add((_, _, _, _, _) => Soon(proposal, delay), proposal.proposed)
enddef

defcompile
