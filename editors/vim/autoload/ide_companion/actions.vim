vim9script
# What the user does with the proposals that wait: goes to them, comments on the current one, and decides about it.

import autoload 'ide_companion/comments.vim'
import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/lists.vim'
import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/review.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/terminal.vim'
import autoload 'ide_companion/view.vim'

# The proposals that only the browser shows.
def InBrowser(): list<dict<any>>
  return review.Waiting((id) => !empty(diff.Find((proposal) => proposal.ended == '' && proposal.id ==# id)))
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
    lists.ShowProposals(diff.Waiting())
  })
enddef

# Lists the changes of the proposal.
export def Hunks()
  WithCurrent((proposal) => {
    lists.ShowHunks(proposal)
  })
enddef

# Asks a question, and names proposals with it: also which of them the user has edited.
def Asks(question: string, all: list<dict<any>>, verb: string): bool
  const names = all->mapnew((_, one) => '  ' .. one.label .. (proposal_of.IsEdited(one) ? ', edited by you' : ''))
  return confirm(join([question] + Shortened(names), "\n"), printf("&%s\n&Cancel", verb), 2) == 1
enddef

# Decides about all proposals after one question; with `of_agent`, about those of the agent whose proposal is current.
# Comments go along. `kind` is diffAccepted or diffRejected.
export def DecideAll(kind: string, of_agent = false)
  WithCurrent((current) => {
    const all = diff.Waiting()->filter((_, one) => one.ended == '' && (!of_agent || one.agent == current.agent))
    const verb = kind == 'diffAccepted' ? 'Accept' : 'Reject'
    const what = len(all) == 1 ? '1 proposal' : len(all) .. ' proposals'
    if !empty(all) && Asks(printf('%s %s%s?', verb, what, of_agent ? ' of ' .. current.agent : ''), all, verb)
      for proposal in all
        diff.Decide(proposal, kind, !empty(proposal.comments))
      endfor
    endif
  })
enddef

# Accepts the rest of the turn that the current proposal belongs to, also what comes later, after one question.
# `stop_at` are patterns of files that wait for the user all the same, as in a `.gitignore`.
export def AcceptAhead(stop_at: list<string>)
  WithCurrent((current) => {
    const turn = lists.TurnOf(current)
    if empty(turn)
      say.Info('The turn of this proposal is over.')
      return
    endif
    const waiting = diff.Waiting()->filter((_, one) => lists.TurnOf(one) == turn)
    const except = empty(stop_at) ? '' : ', except for ' .. join(stop_at)
    if Asks(printf('Accept what %s proposes until its turn ends%s? Now:', turn.agent, except), waiting, 'Accept')
      server.Request('companion/acceptRest', {turn: turn.id, stopAt: stop_at}, (_, failure) => {
        const done = printf('The rest of %s is accepted   :IdeCompanion stop_ahead', turn.agent)
        say.Info(failure == null ? done : failure.message)
      })
    endif
  })
enddef

# From now on the user decides again.
export def StopAhead()
  const turns: list<dict<any>> = status.Get()->get('turns', [])
  const ahead = turns->copy()->filter((_, turn) => has_key(turn, 'ahead'))
  for turn in ahead
    server.Request('companion/stopAccepting', {turn: turn.id}, (_, failure) => {
      say.Info(failure == null ? printf('You decide about %s again.', turn.agent) : failure.message)
    })
  endfor
  if empty(ahead)
    say.Info('Nothing is accepted ahead.')
  endif
enddef

# Lines that a small screen has room for.
def Shortened(lines: list<string>): list<string>
  const most = max([1, &lines - 8])
  return len(lines) <= most ? lines : lines[: most - 1] + [printf('  and %d more', len(lines) - most)]
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
