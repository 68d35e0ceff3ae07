;;; ide-companion-hunks.el --- Lines that differ between two buffers  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A hunk is (BASE-START BASE-COUNT START COUNT): lines of what is on disk
;; and of the proposal, counted from 1.  Where there are none, the start is
;; the line where they would begin.  The program finds hunks.

;;; Code:

(require 'ide-companion-log)

(defun ide-companion--to-hunks (hunks)
  "The HUNKS of the program, as a list."
  (mapcar (lambda (hunk)
            (mapcar (lambda (key) (plist-get hunk key)) '(:from :removed :line :added)))
          hunks))

(defvar ide-companion--found-lines nil
  "Where a line was found last in each buffer: (LINE . POSITION) by buffer.
It is nil when texts may change.")

(defmacro ide-companion--with-found-lines (&rest body)
  "Evaluate BODY, and find each line in it from the one found before.
The texts stay as they are meanwhile."
  (declare (indent 0) (debug t))
  `(let ((ide-companion--found-lines (make-hash-table :test #'eq)))
     ,@body))

(defun ide-companion--line-position (line)
  "The position of LINE in the current buffer, or the end of the buffer."
  (save-restriction
    (widen)
    (save-excursion
      (pcase-let ((`(,from . ,position)
                   (or (and ide-companion--found-lines
                            (gethash (current-buffer) ide-companion--found-lines))
                       (cons 1 (point-min)))))
        (goto-char position)
        ;; The end of a last line without a newline begins no line.
        (when (and (zerop (forward-line (- line from))) (bolp) ide-companion--found-lines)
          (puthash (current-buffer) (cons line (point)) ide-companion--found-lines)))
      (point))))

(defun ide-companion--lines-region (start count)
  "The region of COUNT lines from the line START: (BEGIN . END)."
  (let ((begin (ide-companion--line-position start)))
    (cons begin (if (zerop count) begin (ide-companion--line-position (+ start count))))))

(defun ide-companion--lines-text (buffer start count)
  "The text of COUNT lines of BUFFER from the line START, highlighted."
  (with-current-buffer buffer
    (save-restriction
      (widen)
      (pcase-let ((`(,begin . ,end) (ide-companion--lines-region start count)))
        (ide-companion--guarded #'font-lock-ensure begin end)
        (buffer-substring begin end)))))

(defun ide-companion--hunk-position (hunk)
  "Where HUNK begins in the current buffer."
  (car (ide-companion--lines-region (nth 2 hunk) (nth 3 hunk))))

(provide 'ide-companion-hunks)
;;; ide-companion-hunks.el ends here
