;;; ide-companion-diff.el --- Draw a proposal as a diff  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Highlights the changes of a proposal, and moves between them.

;;; Code:

(eval-when-compile
  (require 'cl-lib)
  (require 'subr-x))
(require 'ide-companion-custom)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-text)

(defun ide-companion--overlay (begin end &rest properties)
  "An overlay of ours from BEGIN to END with PROPERTIES."
  (let ((overlay (make-overlay begin end)))
    (overlay-put overlay 'ide-companion t)
    (while properties
      (overlay-put overlay (pop properties) (pop properties)))
    overlay))

(defun ide-companion--tint (face)
  "FACE without its foreground: the colours of the language stay."
  (let ((background (face-background face nil t)))
    (if (and (stringp background) (color-defined-p background))
        (list :background background :extend t)
      face)))

(defun ide-companion--clear (buffer)
  "Remove our overlays from BUFFER."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      ;; Until Emacs 29, each is looked for among all those that begin before it.
      (with-suppressed-warnings ((obsolete overlay-recenter))
        (overlay-recenter (point-max)))
      (dolist (overlay (sort (overlays-in (point-min) (point-max))
                             (lambda (one other) (> (overlay-end one) (overlay-end other)))))
        (when (overlay-get overlay 'ide-companion)
          (delete-overlay overlay))))))

(defun ide-companion--changed-part (old new)
  "What differs in the lines OLD and NEW: (START OLD-END NEW-END), or nil.
It is nil when they have little in common."
  (let* ((most (min (length old) (length new)))
         (start (length (fill-common-string-prefix old new)))
         ;; Characters of a long line, counted from its end, would each be searched from its start.
         (tail (min (- most start)
                    (length (fill-common-string-prefix (reverse old) (reverse new))))))
    (when (> (* 3 (+ start tail)) most)
      (list start (- (length old) tail) (- (length new) tail)))))

(defun ide-companion--refinements (removed added)
  "What differs in each pair of lines of the texts REMOVED and ADDED.
A list of (START OLD-END NEW-END OLD-OFFSET NEW-OFFSET)."
  (let ((old (split-string removed "\n")) (new (split-string added "\n"))
        (old-offset 0) (new-offset 0) found)
    (when (and (not (string-empty-p removed)) (= (length old) (length new)))
      (while old
        (let ((part (ide-companion--changed-part (car old) (car new))))
          (when part (push (append part (list old-offset new-offset)) found)))
        (setq old-offset (+ old-offset 1 (length (pop old)))
              new-offset (+ new-offset 1 (length (pop new))))))
    found))

(defun ide-companion--removed-string (text refinements end-p)
  "TEXT as it is shown between the lines of the proposal.
REFINEMENTS are the parts of it that differ; END-P means that it
follows a last line without a newline."
  (let ((shown (copy-sequence text)))
    (pcase-dolist (`(,start ,old-end ,_ ,offset ,_) refinements)
      (add-face-text-property (+ offset start) (+ offset old-end)
                              'ide-companion-refine-removed nil shown))
    (setq shown (cond (end-p (concat "\n" (string-remove-suffix "\n" shown)))
                      ((string-suffix-p "\n" shown) shown)
                      (t (concat shown "\n"))))
    (add-face-text-property 0 (length shown) (ide-companion--tint 'ide-companion-removed) t shown)
    shown))

(defun ide-companion--draw-added (begin end refinements)
  "Highlight the added text from BEGIN to END, and its REFINEMENTS."
  (when (< begin end)
    (ide-companion--overlay begin end 'face (ide-companion--tint 'ide-companion-added) 'evaporate t)
    (pcase-dolist (`(,start ,_ ,new-end ,_ ,offset) refinements)
      (ide-companion--overlay (+ begin offset start) (+ begin offset new-end)
                              'face 'ide-companion-refine-added 'evaporate t 'priority 1))))

(defun ide-companion--draw-change (removed begin end)
  "Draw the text REMOVED above the one from BEGIN to END, which is new there."
  (let ((refinements (ide-companion--refinements removed (buffer-substring-no-properties begin end))))
    (unless (string-empty-p removed)
      ;; What others put before the line itself, as diff-hl in the margin, comes after it.
      (ide-companion--overlay
       begin begin 'priority -1 'before-string
       (ide-companion--removed-string
        removed refinements
        (and (= begin (point-max)) (> begin (point-min)) (/= (char-before begin) ?\n)))))
    (ide-companion--draw-added begin end refinements)))

(defun ide-companion--draw (proposal)
  "Draw where PROPOSAL differs from the file on disk."
  (let ((buffer (ide-companion--proposal-buffer proposal))
        (base (ide-companion--proposal-base proposal)))
    (when (and (buffer-live-p buffer) (buffer-live-p base))
      (ide-companion--clear buffer)
      ;; Ediff shows the difference itself.
      (unless (buffer-live-p (ide-companion--proposal-ediff proposal))
        (with-current-buffer buffer
          (save-restriction
            (widen)
            (ide-companion--with-found-lines
              (dolist (hunk (ide-companion--proposal-hunks proposal))
                (pcase-let ((`(,begin . ,end) (ide-companion--hunk-region hunk)))
                  (ide-companion--draw-change (ide-companion--replaced-text base hunk) begin end))))))))))

(add-hook 'ide-companion--compared-functions #'ide-companion--draw)

(defun ide-companion--on-edit (&rest _)
  "The user edits a proposal: save that, and have it compared."
  (setf (ide-companion--proposal-typed-at ide-companion--proposal) (float-time))
  (ide-companion--draft-soon))
(put 'ide-companion--on-edit 'permanent-local-hook t)

(defun ide-companion--hunk-at-point (proposal)
  "The change of PROPOSAL at point, or nil."
  (let ((line (line-number-at-pos (point) t)))
    (seq-find (lambda (hunk)
                (let ((start (plist-get hunk :line)) (count (plist-get hunk :added)))
                  (if (zerop count)
                      (memq line (list (1- start) start))
                    (and (>= line start) (< line (+ start count))))))
              (ide-companion--proposal-hunks proposal))))

(defun ide-companion--here ()
  "The proposal of the current buffer, compared as it stands."
  (let ((proposal (or ide-companion--proposal (user-error "This is no proposal"))))
    (unless (eq (current-buffer) (ide-companion--proposal-buffer proposal))
      (user-error "This is the file on disk: change the proposal"))
    (ide-companion--compare proposal)
    proposal))

(defun ide-companion-revert-change ()
  "Revert the change at point to the text on disk."
  (interactive)
  (let* ((proposal (ide-companion--here))
         (hunk (or (ide-companion--hunk-at-point proposal)
                   (user-error "There is no change here"))))
    (pcase-let ((`(,begin . ,end) (ide-companion--hunk-region hunk))
                (old (substring-no-properties
                      (ide-companion--replaced-text (ide-companion--proposal-base proposal) hunk))))
      (save-restriction
        (widen)
        (goto-char begin)
        (delete-region begin end)
        (insert old)
        (goto-char begin)))
    (ide-companion--compare proposal)))

(defun ide-companion-next-change (&optional count)
  "Go to the next change, or with COUNT further; backwards when negative."
  (interactive "p")
  (let* ((proposal (ide-companion--here))
         (positions (ide-companion--with-found-lines
                      (mapcar (lambda (hunk) (car (ide-companion--hunk-region hunk)))
                              (ide-companion--proposal-hunks proposal))))
         (count (or count 1))
         (beyond (if (< count 0)
                     (seq-filter (lambda (at) (< at (point))) (nreverse positions))
                   (seq-filter (lambda (at) (> at (point))) positions))))
    (goto-char (or (nth (1- (abs count)) beyond)
                   (user-error "No further change")))))

(defun ide-companion-previous-change (&optional count)
  "Go to the previous change, or with COUNT further back."
  (interactive "p")
  (ide-companion-next-change (- (or count 1))))

(provide 'ide-companion-diff)
;;; ide-companion-diff.el ends here
