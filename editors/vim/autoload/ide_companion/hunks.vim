vim9script
# Where two texts differ. Vim 9.0 has this only inside of its diff mode.

# More edits than this between two anchors are shown as one hunk: to find the best way takes their square.
const most_edits = 200

# The compared texts. They are not arguments: with each call, Vim would check the type of every line.
var a: list<string> = []
var b: list<string> = []

# Lists of lines. Returns hunks: [start, count] in `before` and [start, count] in `after`, 1-based; of an empty side
# the start is where it would begin.
export def Between(before: list<string>, after: list<string>): list<list<number>>
  [a, b] = [before, after]
  var pairs = Align([0, len(a), 0, len(b)])
  [a, b] = [[], []]
  var hunks: list<list<number>> = []
  var [i, j] = [0, 0]
  for [x, y] in add(pairs, [len(before), len(after)])
    if x > i || y > j
      add(hunks, [i + 1, x - i, j + 1, y - j])
    endif
    [i, j] = [x + 1, y + 1]
  endfor
  return hunks
enddef

# The same for the texts of two buffers.
export def BetweenBuffers(before: number, after: number): list<list<number>>
  return Between(getbufline(before, 1, '$'), getbufline(after, 1, '$'))
enddef

# The pairs of equal lines of a range, in order. `range`: from, to in `a`, from, to in `b`, 0-based.
def Align(range: list<number>): list<list<number>>
  var pairs: list<list<number>> = []
  var [i, i_end, j, j_end] = range
  while i < i_end && j < j_end && a[i] ==# b[j]
    add(pairs, [i, j])
    [i, j] = [i + 1, j + 1]
  endwhile
  var same = 0
  while i_end > i && j_end > j && a[i_end - 1] ==# b[j_end - 1]
    [i_end, j_end, same] = [i_end - 1, j_end - 1, same + 1]
  endwhile
  if i < i_end && j < j_end
    extend(pairs, AlignMiddle([i, i_end, j, j_end]))
  endif
  for offset in range(same)
    add(pairs, [i_end + offset, j_end + offset])
  endfor
  return pairs
enddef

# The same of a range that neither begins nor ends with equal lines.
def AlignMiddle(range: list<number>): list<list<number>>
  var [i, i_end, j, j_end] = range
  var anchors = Anchors(range)
  if empty(anchors)
    return ShortestWay(a[i : i_end - 1], b[j : j_end - 1])->map((_, pair) => [pair[0] + i, pair[1] + j])
  endif
  var pairs: list<list<number>> = []
  for [x, y] in add(anchors, [i_end, j_end])
    if x > i && y > j
      extend(pairs, Align([i, x, j, y]))
    endif
    if x < i_end
      add(pairs, [x, y])
    endif
    [i, j] = [x + 1, y + 1]
  endfor
  return pairs
enddef

# Pairs of lines that occur once in either range, as many as are in the same order in both.
def Anchors(range: list<number>): list<list<number>>
  const [i, i_end, j, j_end] = range
  const in_a = Places(a, i, i_end)
  const in_b = Places(b, j, j_end)
  var candidates: list<list<number>> = []
  for x in range(i, i_end - 1)
    const y = get(in_b, a[x], -1)
    if in_a[a[x]] == x && y >= 0
      add(candidates, [x, y])
    endif
  endfor
  return LongestIncreasing(candidates)
enddef

# The position of each line; -1 when it occurs more than once.
def Places(lines: list<string>, first: number, end: number): dict<number>
  var positions: dict<number> = {}
  for index in range(first, end - 1)
    positions[lines[index]] = has_key(positions, lines[index]) ? -1 : index
  endfor
  return positions
enddef

# Of pairs sorted by their first number, the most whose second numbers are sorted as well: each pair goes onto the
# first pile whose top is not smaller, and remembers the top of the pile before. (Piles are a dictionary because a list
# of Vim's is walked through to find one of its items.)
def LongestIncreasing(pairs: list<list<number>>): list<list<number>>
  var tops: dict<number> = {}
  var heights: dict<number> = {}
  var before: list<number> = []
  for index in range(len(pairs))
    const height = pairs[index][1]
    const pile = PileOf(height, heights)
    add(before, pile > 0 ? tops[pile - 1] : -1)
    tops[pile] = index
    heights[pile] = height
  endfor
  var longest: list<list<number>> = []
  var last = get(tops, len(tops) - 1, -1)
  while last >= 0
    add(longest, pairs[last])
    last = before[last]
  endwhile
  return reverse(longest)
enddef

def PileOf(height: number, heights: dict<number>): number
  var [low, high] = [0, len(heights)]
  # Most of the time it is a new one.
  if high > 0 && heights[high - 1] < height
    return high
  endif
  while low < high
    const middle = (low + high) / 2
    if heights[middle] < height
      low = middle + 1
    else
      high = middle
    endif
  endwhile
  return low
enddef

# Pairs of equal lines along a way with the fewest edits (Myers, "An O(ND) Difference Algorithm", 1986); none at all
# when it has too many.
def ShortestWay(one: list<string>, other: list<string>): list<list<number>>
  const [n, m] = [len(one), len(other)]
  const most = min([n + m, most_edits])
  # How far one gets on each diagonal, k = x - y, found at k + zero; and the same before each edit.
  const zero = most + 1
  var furthest = repeat([0], 2 * zero + 1)
  var history: list<list<number>> = []
  for edits in range(most + 1)
    add(history, copy(furthest))
    for k in range(-edits, edits, 2)
      const is_down = IsDown(furthest, zero, k, edits)
      var x = is_down ? furthest[zero + k + 1] : furthest[zero + k - 1] + 1
      while x < n && x - k < m && one[x] ==# other[x - k]
        x += 1
      endwhile
      furthest[zero + k] = x
      if x >= n && x - k >= m
        return WayBack(history, zero, n, m)
      endif
    endfor
  endfor
  return []
enddef

# Whether the furthest way onto a diagonal comes from the one above, by a line that is only in the second text.
def IsDown(furthest: list<number>, zero: number, k: number, edits: number): bool
  return k == -edits || (k != edits && furthest[zero + k - 1] < furthest[zero + k + 1])
enddef

def WayBack(history: list<list<number>>, zero: number, n: number, m: number): list<list<number>>
  var pairs: list<list<number>> = []
  var [x, y] = [n, m]
  for edits in range(len(history) - 1, 0, -1)
    const furthest = history[edits]
    const from = x - y + (IsDown(furthest, zero, x - y, edits) ? 1 : -1)
    const from_x = furthest[zero + from]
    while x > from_x && y > from_x - from
      [x, y] = [x - 1, y - 1]
      add(pairs, [x, y])
    endwhile
    [x, y] = [from_x, from_x - from]
  endfor
  return reverse(pairs)
enddef
