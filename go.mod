module greenroom

go 1.26
