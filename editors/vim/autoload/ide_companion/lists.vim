vim9script
# Vim's lists of what waits: the proposals in the quickfix list, the changes of one in its location list.

import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/draft.vim'
import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/view.vim'

const title = 'Proposals'
# The number of the latest quickfix list of proposals; 0 before the first.
var list_id = 0
const largest_window = 10
# Where a hunk is in the proposed text; of lines that went, the line where they were.
def LineOf(proposal: dict<any>, hunk: dict<number>): number
  return min([hunk.line, getbufinfo(proposal.proposed)[0].linecount])
enddef

# `+3 -1`
def SizeOf(all: list<dict<number>>): string
  var [added, removed] = [0, 0]
  for hunk in all
    removed += hunk.removed
    added += hunk.added
  endfor
  return printf('+%d -%d', added, removed)
enddef

# The turn that a proposal belongs to, as the server counts them; empty when that is over.
export def TurnOf(proposal: dict<any>): dict<any>
  const turns: list<dict<any>> = status.Get()->get('turns', [])
  return turns->copy()->filter((_, turn) => proposal.ended == '' && index(turn.waiting, proposal.id) >= 0)->get(0, {})
enddef

# What is known of its turn, with a comma: `2 of 5, ahead`.
def PlaceInTurn(proposal: dict<any>): string
  const turn = TurnOf(proposal)
  if empty(turn)
    return ''
  endif
  const place = turn.decided + index(turn.waiting, proposal.id) + 1
  return printf(', %d of %d', place, turn.decided + len(turn.waiting))
    .. (has_key(turn, 'ahead') ? ', ahead' : '')
enddef

# The number of comments, with a comma.
def CommentsOf(proposal: dict<any>): string
  const count = len(proposal.comments)
  return count == 0 ? '' : count == 1 ? ', 1 comment' : printf(', %d comments', count)
enddef

def ToItem(proposal: dict<any>): dict<any>
  const all: list<dict<number>> = proposal.hunks
  const edited = proposal_of.IsEdited(proposal) ? ', edited by you' : ''
  return {
    bufnr: proposal.proposed,
    module: proposal.label,
    lnum: empty(all) ? 1 : LineOf(proposal, all[0]),
    text: SizeOf(all) .. '  ' .. proposal.agent .. PlaceInTurn(proposal) .. edited
      .. CommentsOf(proposal),
  }
enddef

# Opens the window of a list, which is as high as it needs. `command` is copen or lopen.
def OpenWindow(command: string, count: number)
  execute 'botright' command min([count, largest_window])
enddef

# Puts all proposals into the quickfix list. In its window Enter goes to the one on the line.
export def ShowProposals(proposals: list<dict<any>>)
  var left = len(proposals)
  for proposal in proposals
    draft.WhenCompared(proposal, () => {
      left -= 1
      if left == 0
        List(proposals)
      endif
    })
  endfor
enddef

def List(proposals: list<dict<any>>)
  setqflist([], ' ', {title: title, items: mapnew(proposals, (_, proposal) => ToItem(proposal))})
  list_id = getqflist({id: 0}).id
  OpenWindow('copen', len(proposals))
  nnoremap <buffer> <silent> <CR> <Cmd>call ide_companion#lists#Enter()<CR>
enddef

# The list follows: a proposal has come, or is gone.
def Follow(proposal: dict<any>)
  if list_id > 0 && getqflist({id: list_id}).id == list_id
    const is_here = !empty(diff.BySerial(proposal.serial))
    const items = getqflist({id: list_id, items: 0}).items->filter((_, item) => item.bufnr != proposal.proposed)
    setqflist([], 'r', {id: list_id, items: items + (is_here ? [ToItem(proposal)] : [])})
  endif
enddef

diff.OnChange(Follow)

# The user presses Enter in a quickfix window, which may show another list by now. A proposal is decided about in its
# own tab, so it is not shown in this one.
export def Enter()
  const list = getqflist({title: true, items: true})
  const item = get(list.items, line('.') - 1, {})
  const proposal: dict<any> = list.title == title && !empty(item)
    ? diff.Find((one) => one.proposed == item.bufnr) : {}
  if empty(proposal)
    execute ':.cc'
  else
    view.Enter(proposal)
    cursor(item.lnum, 1)
  endif
enddef

def ToChange(proposal: dict<any>, hunk: dict<number>): dict<any>
  return {
    bufnr: proposal.proposed,
    module: proposal.label,
    lnum: LineOf(proposal, hunk),
    text: printf('%s  %s', SizeOf([hunk]), hunk.added > 0 ? getbufline(proposal.proposed, hunk.line)[0] : ''),
  }
enddef

# Puts the changes of a proposal into the location list of its window, and goes to the first one.
export def ShowHunks(proposal: dict<any>)
  view.Enter(proposal)
  draft.WhenCompared(proposal, () => ListHunks(proposal))
enddef

def ListHunks(proposal: dict<any>)
  const all: list<dict<number>> = proposal.hunks
  if empty(all)
    say.Info('The proposal changes nothing.')
    return
  endif
  setloclist(0, [], ' ', {title: 'Changes', items: mapnew(all, (_, hunk) => ToChange(proposal, hunk))})
  OpenWindow('lopen', len(all))
  view.Own(proposal, win_getid())
enddef

# Compiled later, in a callback, the lines of a lambda would scroll the screen.
defcompile
