vim9script
# What the user does with the proposals that wait: goes to them, comments on the current one, and decides about it.

import autoload 'ide_companion/comments.vim'
import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/lists.vim'
import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/review.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/stored.vim'
import autoload 'ide_companion/terminal.vim'
import autoload 'ide_companion/view.vim'

# The proposals that only the browser shows.
def InBrowser(): list<dict<any>>
  return review.Waiting((id) => !empty(diff.WaitingFor(id)))
enddef

# The proposal in the current tab; empty when there is none.
def Current(): dict<any>
  return diff.Find((proposal) => view.IsCurrent(proposal))
enddef

# Runs an action on the proposal of the current tab, else on the oldest.
def WithCurrent(Action: func(dict<any>))
  const here = Current()
  const proposal = empty(here) ? get(diff.Waiting(), 0, {}) : here
  if empty(proposal)
    say.Info(empty(InBrowser()) ? 'No proposal waits for you.' : 'The proposal waits in the browser   :IdeCompanion diff')
  else
    Action(proposal)
  endif
enddef

# Runs a decision on the proposal of the current tab, or on the only one. Of several, the user may have seen none.
def WithSeen(Action: func(dict<any>))
  const waiting = diff.Waiting()
  if len(waiting) < 2 || !empty(Current())
    WithCurrent(Action)
  else
    Enter(waiting[0])
    say.Info(printf('%d proposals wait, and this is the oldest: %s', len(waiting), waiting[0].label))
  endif
enddef

export def Accept()
  WithSeen((proposal) => {
    diff.Decide(proposal, 'diffAccepted')
  })
enddef

export def Reject()
  WithSeen((proposal) => {
    diff.Decide(proposal, 'diffRejected')
  })
enddef

# Decides, and sends the comments with it; `kind` is diffAccepted or diffRejected.
export def DecideWithComments(kind: string)
  WithSeen((proposal) => {
    if comments.Expect(proposal)
      diff.Decide(proposal, kind, true)
    endif
  })
enddef

# Asks for a comment on lines of the side that the user is in.
export def Comment(first: number, last: number)
  WithCurrent((proposal) => {
    comments.Ask(proposal, first, last)
  })
enddef

# Makes the proposal editable, also when its agent takes no edits.
export def Edit()
  WithCurrent((proposal) => {
    proposal_of.Unlock(proposal)
    Enter(proposal)
    view.Refresh(proposal)
    if proposal.ownVersion
      say.Info(printf(':w lets %s write its own text, then :IdeCompanion edits offers yours', proposal.agent))
    endif
  })
enddef

def Enter(proposal: dict<any>)
  view.Enter(proposal)
  if proposal_of.IsReadOnly(proposal)
    say.Info(proposal.readOnlyReason .. '   :IdeCompanion edit')
  endif
enddef

# Goes to the oldest proposal; from a proposal to the next one, or to the one before it when `by` is -1.
export def Show(by = 1)
  terminal.LeaveFloat()
  const here = Current()
  const waiting = diff.Waiting()
  if empty(waiting) && !empty(InBrowser())
    review.Show(InBrowser())
  elseif empty(here)
    WithCurrent((proposal) => {
      Enter(proposal)
    })
  else
    const index = waiting->mapnew((_, proposal) => proposal.serial)->index(here.serial)
    Enter(waiting[(index + by) % len(waiting)])
  endif
enddef

# Lists the proposals.
export def List()
  WithCurrent((_) => {
    lists.ShowProposals()
  })
enddef

# Lists the changes of the proposal.
export def Hunks()
  WithCurrent((proposal) => {
    lists.ShowHunks(proposal)
  })
enddef

# Does something about the current proposal, and about more of its agent: `action` is one of `companion/act`.
export def Act(action: string, stop_at: list<string> = [])
  WithCurrent((proposal) => {
    stored.ActOnWaiting(action, proposal.id, stop_at)
  })
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
